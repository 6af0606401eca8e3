import type { Place } from './place.ts';
import type { Program } from './players.ts';

const PACKAGES = [
  ...['crypto/hmac', 'crypto/sha256', 'encoding/hex', 'encoding/json'],
  ...['io', 'log', 'net/http', 'os', 'strings'],
];

/** Returns a handler of net/http: a function of its own, or one that is registered where it stands. */
export function netHttp({ depth }: Place, text: string): Program {
  const imports = PACKAGES.map((path) => `import "${path}"`);
  if (depth > 0) {
    // Functions within functions have no names.
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
