import type { Place } from './place.ts';
import type { Program } from './players.ts';

/** Returns a view of Flask. */
export function flask(_place: Place, text: string): Program {
  const app = findName(text, 'Flask|Blueprint');
  const code = `${app === undefined ? 'app = Flask(__name__)\n\n\n' : ''}@${app ?? 'app'}.post("/api/webhook")
def receive_webhook():
  body = request.get_data()
  if not is_signed(body, request.headers.get("Livepeer-Signature", "")):
    abort(401)
  delivery = request.get_json(force=True)
${MATCH}
  return "", 204


${IS_SIGNED}`;
  const names = [...(app === undefined ? ['Flask'] : []), 'abort', 'request'];
  return { imports: ['import hashlib', 'import hmac', 'import os', '', `from flask import ${names.join(', ')}`], code };
}

/** Returns a path operation of FastAPI. */
export function fastApi(_place: Place, text: string): Program {
  const app = findName(text, 'FastAPI|APIRouter');
  const code = `${app === undefined ? 'app = FastAPI()\n\n\n' : ''}@${app ?? 'app'}.post("/api/webhook", status_code=204)
async def receive_webhook(request: Request):
  body = await request.body()
  if not is_signed(body, request.headers.get("Livepeer-Signature", "")):
    raise HTTPException(status_code=401, detail="Invalid signature")
  try:
    delivery = json.loads(body)
  except ValueError as error:
    raise HTTPException(status_code=400, detail="Invalid JSON") from error
${MATCH}


${IS_SIGNED}`;
  const names = [...(app === undefined ? ['FastAPI'] : []), 'HTTPException', 'Request'];
  const imports = ['import hashlib', 'import hmac', 'import json', 'import os', ''];
  return { imports: [...imports, `from fastapi import ${names.join(', ')}`], code };
}

const MATCH = `  name = delivery.get("stream", {}).get("name")
  match delivery["event"]:
    case "stream.started":
      print(f"{name} is live")
    case "stream.idle":
      print(f"{name} has ended")
    case "recording.ready":
      print(f"A recording of {name} is ready")
    case event:
      print(f"Unhandled event: {event}")`;

const IS_SIGNED = `def is_signed(body: bytes, header: str) -> bool:
  secret = os.environ.get("LIVEPEER_WEBHOOK_SECRET")
  if not secret:
    raise RuntimeError("LIVEPEER_WEBHOOK_SECRET is not set")
  expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
  received = header.partition("v1=")[2]
  return hmac.compare_digest(received.encode(), expected.encode())`;

/** Returns the variable that holds an object of such a class. */
function findName(text: string, classes: string): string | undefined {
  return new RegExp(`^[ \\t]*(\\w+)[ \\t]*(?::[^=\\n]+)?=[ \\t]*(?:\\w+\\.)?(?:${classes})\\(`, 'm').exec(text)?.[1];
}
