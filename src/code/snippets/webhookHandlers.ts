import type { Place } from './place.ts';
import type { Program } from './players.ts';
import { type Library, type ServerCode, writeServerCode } from './serverCode.ts';
import { express, fastify, hono, nextRoute } from './webhookHandlersScript.ts';

export type FrameworkId = keyof typeof FRAMEWORKS;

const FRAMEWORKS = {
  express: { label: 'Express', named: /['"]express['"]/, write: express },
  next: { label: 'Next.js', named: /['"]next(?:\/[\w/-]+)?['"]/, write: nextRoute },
  fastify: { label: 'Fastify', named: /['"]fastify['"]/, write: fastify },
  hono: { label: 'Hono', named: /['"]hono(?:\/[\w/-]+)?['"]/, write: hono },
  flask: { label: 'Flask', named: /\bflask\b/i, write: flask },
  fastapi: { label: 'FastAPI', named: /\bfastapi\b/i, write: fastApi },
  netHttp: { label: 'net/http', named: /"net\/http"/, write: netHttp },
} as const satisfies Readonly<Record<string, Library>>;

const SCRIPT = ['express', 'next', 'fastify', 'hono'] as const;

const OF_LANGUAGE: Readonly<Record<string, readonly FrameworkId[]>> = {
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  python: ['fastapi', 'flask'],
  go: ['netHttp'],
};

/** Returns code that receives a webhook's events, checks their signatures, and switches on the event. */
export function webhookHandlers(
  place: Place,
  text: string,
  manifests?: readonly string[],
): readonly ServerCode<FrameworkId>[] {
  return writeServerCode({ libraries: FRAMEWORKS, ofLanguage: OF_LANGUAGE }, place, { text, manifests });
}

/** Returns a Flask view. */
function flask(_place: Place, text: string): Program {
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

/** Returns a FastAPI path operation. */
function fastApi(_place: Place, text: string): Program {
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

/** Returns the name of the variable that holds an instance of one of the classes. */
function findName(text: string, classes: string): string | undefined {
  return new RegExp(`^[ \\t]*(\\w+)[ \\t]*(?::[^=\\n]+)?=[ \\t]*(?:\\w+\\.)?(?:${classes})\\(`, 'm').exec(text)?.[1];
}

const PACKAGES = [
  ...['crypto/hmac', 'crypto/sha256', 'encoding/hex', 'encoding/json'],
  ...['io', 'log', 'net/http', 'os', 'strings'],
];

/** Returns a net/http handler: a function of its own or, within another function, one that is registered in place. */
function netHttp({ depth }: Place, text: string): Program {
  const imports = PACKAGES.map((path) => `import "${path}"`);
  if (depth > 0) {
    // Nested functions can't have names.
    const mux = /\b(\w+)\s*:?=\s*http\.NewServeMux\(/.exec(text)?.[1] ?? 'http';
    return { imports, code: `${mux}.HandleFunc("/api/webhook", func${BODY})` };
  }
  const hasMain = /^func main\(/m.test(text);
  const isMain = /^package main\b/m.test(text) || !/^package \w/m.test(text);
  const handler = `// handleWebhook receives the events of a webhook.\nfunc handleWebhook${BODY}`;
  if (hasMain || !isMain) return { imports, code: handler };
  const main = `func main() {
  http.HandleFunc("/api/webhook", handleWebhook)
  log.Fatal(http.ListenAndServe(":3000", nil))
}`;
  return { imports, code: `${handler}\n\n${main}` };
}

const BODY = `(w http.ResponseWriter, r *http.Request) {
  secret := os.Getenv("LIVEPEER_WEBHOOK_SECRET")
  if secret == "" {
    log.Print("LIVEPEER_WEBHOOK_SECRET is not set")
    http.Error(w, "internal error", http.StatusInternalServerError)
    return
  }
  body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
  if err != nil {
    http.Error(w, "cannot read the body", http.StatusBadRequest)
    return
  }
  mac := hmac.New(sha256.New, []byte(secret))
  mac.Write(body)
  _, signature, _ := strings.Cut(r.Header.Get("Livepeer-Signature"), "v1=")
  received, err := hex.DecodeString(signature)
  if err != nil || !hmac.Equal(received, mac.Sum(nil)) {
    http.Error(w, "invalid signature", http.StatusUnauthorized)
    return
  }
  var delivery struct {
    Event  string \`json:"event"\`
    Stream struct {
      Name string \`json:"name"\`
    } \`json:"stream"\`
  }
  if err := json.Unmarshal(body, &delivery); err != nil {
    http.Error(w, "invalid JSON", http.StatusBadRequest)
    return
  }
  switch delivery.Event {
  case "stream.started":
    log.Printf("%s is live", delivery.Stream.Name)
  case "stream.idle":
    log.Printf("%s has ended", delivery.Stream.Name)
  case "recording.ready":
    log.Printf("A recording of %s is ready", delivery.Stream.Name)
  default:
    log.Printf("Unhandled event: %s", delivery.Event)
  }
  w.WriteHeader(http.StatusNoContent)
}`;
