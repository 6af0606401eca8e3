import { isCommonJs } from './imports.ts';
import type { Place } from './place.ts';
import type { Program } from './players.ts';
import { type Library, type ServerCode, writeServerCode } from './serverCode.ts';
import { typed } from './webhookHandlersScript.ts';

export type TokenLibraryId = keyof typeof LIBRARIES;

const LIBRARIES = {
  jose: { label: 'jose', named: /['"]jose['"]/, write: jose },
  jsonwebtoken: { label: 'jsonwebtoken', named: /['"]jsonwebtoken['"]/, write: jsonWebToken },
  pyjwt: { label: 'PyJWT', named: /\bpyjwt\b|\bimport jwt\b/i, write: pyJwt },
  golangJwt: { label: 'golang-jwt', named: /golang-jwt\/jwt/, write: golangJwt },
} as const satisfies Readonly<Record<string, Library>>;

const SCRIPT = ['jose', 'jsonwebtoken'] as const;

const OF_LANGUAGE: Readonly<Record<string, readonly TokenLibraryId[]>> = {
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  python: ['pyjwt'],
  go: ['golangJwt'],
};

/**
 * Returns code that signs the tokens viewers need to play private streams (src/api/README.md, Access). Its keys are
 * variables: both halves of a signing key, as Base64-encoded PEM.
 */
export function tokenSigners(
  place: Place,
  text: string,
  manifests?: readonly string[],
): readonly ServerCode<TokenLibraryId>[] {
  return writeServerCode({ libraries: LIBRARIES, ofLanguage: OF_LANGUAGE }, place, { text, manifests });
}

const PURPOSE = 'a token that lets a viewer play a private stream for one hour';

function jose(place: Place, text: string): Program {
  const code = `// Returns ${PURPOSE}.
${exported(place, text)}async function signPlaybackToken(playbackId${typed(place, ': string')})${typed(place, ': Promise<string>')} {
${KEYS}
  const privateKey = await importPKCS8(Buffer.from(LIVEPEER_PRIVATE_KEY, 'base64').toString(), 'ES256');
  return new SignJWT({ action: 'pull', pub: LIVEPEER_PUBLIC_KEY, video: 'none' })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setIssuer('https://example.com')
    .setSubject(playbackId)
    .setIssuedAt()
    .setExpirationTime('1 hour')
    .sign(privateKey);
}`;
  return { imports: ["import { importPKCS8, SignJWT } from 'jose';"], code };
}

function jsonWebToken(place: Place, text: string): Program {
  const code = `// Returns ${PURPOSE}.
${exported(place, text)}function signPlaybackToken(playbackId${typed(place, ': string')})${typed(place, ': string')} {
${KEYS}
  const claims = { action: 'pull', pub: LIVEPEER_PUBLIC_KEY, video: 'none' };
  return jwt.sign(claims, Buffer.from(LIVEPEER_PRIVATE_KEY, 'base64'), {
    algorithm: 'ES256',
    issuer: 'https://example.com',
    subject: playbackId,
    expiresIn: '1 hour',
  });
}`;
  return { imports: ["import jwt from 'jsonwebtoken';"], code };
}

const KEYS = `  const { LIVEPEER_PRIVATE_KEY, LIVEPEER_PUBLIC_KEY } = process.env;
  if (!LIVEPEER_PRIVATE_KEY || !LIVEPEER_PUBLIC_KEY) {
    throw new Error('LIVEPEER_PRIVATE_KEY or LIVEPEER_PUBLIC_KEY is not set');
  }`;

function exported({ depth, languageId }: Place, text: string): string {
  return depth === 0 && !isCommonJs(languageId, text) ? 'export ' : '';
}

function pyJwt(): Program {
  // Two blank lines precede a function.
  const code = `
def sign_playback_token(playback_id: str) -> str:
  """Return ${PURPOSE}."""
  now = int(time.time())
  claims = {
    "action": "pull",
    "iss": "https://example.com",
    "pub": os.environ["LIVEPEER_PUBLIC_KEY"],
    "sub": playback_id,
    "video": "none",
    "iat": now,
    "exp": now + 3600,
  }
  private_key = base64.b64decode(os.environ["LIVEPEER_PRIVATE_KEY"])
  return jwt.encode(claims, private_key, algorithm="ES256")`;
  return { imports: ['import base64', 'import os', 'import time', '', 'import jwt'], code };
}

const GO_PACKAGES = ['encoding/base64', 'os', 'time'];

function golangJwt({ depth }: Place): Program {
  const imports = [...GO_PACKAGES, '', 'github.com/golang-jwt/jwt/v5'].map((path) => path && `import "${path}"`);
  const body = `(playbackID string) (string, error) {
  pem, err := base64.StdEncoding.DecodeString(os.Getenv("LIVEPEER_PRIVATE_KEY"))
  if err != nil {
    return "", err
  }
  key, err := jwt.ParseECPrivateKeyFromPEM(pem)
  if err != nil {
    return "", err
  }
  now := time.Now()
  claims := jwt.MapClaims{
    "action": "pull",
    "iss":    "https://example.com",
    "pub":    os.Getenv("LIVEPEER_PUBLIC_KEY"),
    "sub":    playbackID,
    "video":  "none",
    "iat":    now.Unix(),
    "exp":    now.Add(time.Hour).Unix(),
  }
  return jwt.NewWithClaims(jwt.SigningMethodES256, claims).SignedString(key)
}`;
  if (depth > 0) return { imports, code: `signPlaybackToken := func${body}` };
  return { imports, code: `// signPlaybackToken returns ${PURPOSE}.\nfunc signPlaybackToken${body}` };
}
