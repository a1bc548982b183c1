"""Parses a document (JSON) as openapi-python-client does before it writes a client: DOCUMENT.

Run by `test_generated.py`, in the environment of the tools. Prints what it complains about and its models as JSON.
"""

import json
import sys
from pathlib import Path

from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData

path = Path(sys.argv[1])
config = Config.from_sources(ConfigFile(), MetaType.NONE, path, "utf-8", overwrite=False, output_path=None)
data = GeneratorData.from_dict(json.loads(path.read_bytes()), config=config)
errors = [*data.errors, *(error for tag in data.endpoint_collections_by_tag.values() for error in tag.parse_errors)]
print(
    json.dumps(
        {
            "errors": [f"{error.header}: {error.detail}" for error in errors],
            "models": sorted(model.class_info.name for model in data.models),
        }
    )
)
