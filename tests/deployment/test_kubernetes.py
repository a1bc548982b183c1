"""`deploy/kubernetes`: it agrees with the service, and both overlays are valid for Kubernetes."""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

import pytest
import yaml

from harness.document import document
from harness.make_run import ROOT
from service.common.settings import Settings

FOLDER = ROOT / "deploy" / "kubernetes"
#: Settings of other images.
OF_OTHERS = {"REDIS_PASSWORD", "REDIS_MAXMEMORY"}


@cache
def resources() -> dict[str, dict[str, Any]]:
    """All documents of the folder except the kustomizations, by file and index."""
    files = [file for file in sorted(FOLDER.glob("*/*.yaml")) if file.stem != "kustomization"]
    return {
        f"{file.parent.name}/{file.name}#{number}": one
        for file in files
        for number, one in enumerate(yaml.safe_load_all(file.read_text()))
    }


def kustomization(name: str) -> dict[str, Any]:
    kustomization_file: dict[str, Any] = yaml.safe_load((FOLDER / name / "kustomization.yaml").read_text())
    return kustomization_file


def containers() -> Iterator[dict[str, Any]]:
    for one in resources().values():
        if one["kind"] in ("Deployment", "StatefulSet"):
            yield from one["spec"]["template"]["spec"].get("containers", ())


def test_every_setting_exists() -> None:
    known = {each.name.upper() for each in fields(Settings)} | OF_OTHERS
    literals = kustomization("base")["configMapGenerator"][0]["literals"]
    lines = {line.partition("=")[0] for line in literals}
    lines |= {each["name"] for container in containers() for each in container.get("env", ())}
    assert {"TRUSTED_PROXIES", "ONLY_STREAMS", "REDIS_PASSWORD"} <= lines <= known


@pytest.mark.parametrize("overlay", ["small", "large"])
def test_each_overlay_expects_the_processes_that_it_starts(overlay: str) -> None:
    started = {
        one["metadata"]["name"]: one["spec"].get("replicas", 1)
        for name, one in resources().items()
        if one["kind"] == "Deployment" and name.startswith("base/") and "shengji" in one["metadata"].get("labels", {})
    }
    started |= {each["name"]: each["count"] for each in kustomization(overlay).get("replicas", ())}
    for name, one in resources().items():
        if one["kind"] == "HorizontalPodAutoscaler" and name.startswith(f"{overlay}/"):
            started[one["metadata"]["name"]] = one["spec"]["minReplicas"]
    started.pop("gateway", None)
    [settings] = kustomization(overlay)["configMapGenerator"]
    assert settings["behavior"] == "merge"
    [lines] = [line for line in settings["literals"] if line.startswith("EXPECTED=")]
    assert dict(Settings.from_env({"EXPECTED": lines.removeprefix("EXPECTED=")}).expected) == started


def test_every_process_of_compose_runs() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    deployments = {one["metadata"]["name"]: one for one in resources().values() if one["kind"] == "Deployment"}
    for name, service in compose.items():
        if name in ("redis", "backup"):
            continue
        [container] = deployments[name]["spec"]["template"]["spec"]["containers"]
        if name not in ("api", "streams", "gateway"):
            assert container["command"] == service["command"]


def test_the_backup_of_compose_runs_every_night_without_privileges() -> None:
    [job] = [one for one in resources().values() if one["kind"] == "CronJob"]
    pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["backup"]["command"]
    assert pod["containers"][0]["command"] == compose[:5] + compose[-2:]
    process = resources()["base/process.yaml#0"]["spec"]["template"]["spec"]
    for name in ("automountServiceAccountToken", "enableServiceLinks"):
        assert pod[name] == process[name]
    assert pod["securityContext"] == process["securityContext"] | {"fsGroup": 10001}
    assert pod["containers"][0]["securityContext"] == process["containers"][0]["securityContext"]


def test_probes_use_public_endpoints() -> None:
    request = {
        probe["httpGet"]["path"].partition("?")[0]
        for container in containers()
        for name, probe in container.items()
        if name.endswith("Probe") and "httpGet" in probe
    }
    assert request == {"/livez", "/readyz", "/gateway"}
    assert all(document()["paths"][path]["get"]["security"] == [] for path in request - {"/gateway"})


def test_the_gateway_is_configured_like_that_of_compose() -> None:
    text = (ROOT / "deploy" / "gateway.conf").read_text()
    start, end = text.index("    # Resolve names again"), text.index("    server {")
    text = text[:start] + text[end:]
    for name in ("api", "streams"):
        text = text.replace(f"        set ${name} http://{name}:8000;\n", "")
        text = text.replace(f"proxy_pass ${name};", f"proxy_pass http://{name}:8000;")
    assert (FOLDER / "base" / "gateway.conf").read_text() == text


def built(overlay: str) -> list[dict[str, Any]]:
    """What Kustomize makes of an overlay."""
    if shutil.which("kubectl") is None:
        pytest.skip("needs kubectl (Debian: kubernetes-client)")
    done = subprocess.run(
        ["kubectl", "kustomize", FOLDER / overlay], capture_output=True, text=True, check=True, timeout=60
    )
    return list(yaml.safe_load_all(done.stdout))


@pytest.mark.nightly
@pytest.mark.parametrize("overlay", ["small", "large"])
def test_an_overlay_has_all_resources_of_its_files_and_of_the_base(overlay: str) -> None:
    written = [
        (one["kind"], one["metadata"]["name"])
        for folder in ("base", overlay)
        for file in kustomization(folder)["resources"]
        if file != "../base"
        for one in yaml.safe_load_all((FOLDER / folder / file).read_text())
    ]
    resources_built = [(one["kind"], one["metadata"]["name"]) for one in built(overlay) if one["kind"] != "ConfigMap"]
    assert sorted(resources_built) == sorted(written)


@pytest.mark.nightly
@pytest.mark.parametrize("overlay", ["small", "large"])
def test_the_manifests_are_valid_for_kubernetes(overlay: str) -> None:
    validate = pytest.importorskip("kubernetes_validate", reason="pip install kubernetes-validate")
    for one in built(overlay):
        validate.validate(one, validate.latest_version(), strict=True)
        if one["kind"] == "Deployment" and one["metadata"]["labels"].get("shengji") == "process":
            [container] = one["spec"]["template"]["spec"]["containers"]
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert "livenessProbe" in container
            assert "memory" in container["resources"]["limits"]
