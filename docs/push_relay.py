"""A relay for notices on phones: takes what the service sends and passes it on to APNs or FCM.

    PUSH_RELAY_SECRET=whsec_… python push_relay.py 9000

It shows what there is to do, and passes on by printing. Put your app's credentials into `apns` and `fcm`.
"""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError


def apns(notice):
    """POST https://api.push.apple.com/3/device/<device_token>, HTTP/2, with a JWT of your key as bearer token."""
    alert = {"title": notice["title"], "body": notice["body"], "title-loc-key": notice["title_loc_key"]}
    headers = {"apns-collapse-id": notice["collapse_id"], "apns-expiration": notice["expires_at"]}
    return headers, {"aps": {"alert": alert, "sound": "default"}, "table": notice["table"]}


def fcm(notice):
    """POST https://fcm.googleapis.com/v1/projects/<project>/messages:send with an OAuth token of your account."""
    message = {"token": notice["device_token"], "data": {"table": notice["table"] or ""}}
    message["notification"] = {"title": notice["title"], "body": notice["body"]}
    message["android"] = {"collapse_key": notice["collapse_id"], "priority": "high"}
    return {}, {"message": message}


class Relay(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            notice = Webhook(os.environ["PUSH_RELAY_SECRET"]).verify(body, dict(self.headers))
        except WebhookVerificationError:
            return self.send_error(401)
        headers, message = {"apns": apns, "fcm": fcm}[notice["platform"]](notice)
        print(json.dumps([notice["device_token"], headers, message]), flush=True)  # send it here; 410 if it is gone
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Relay).serve_forever()
