import { t } from '@vscode/l10n';

/** Why a local delivery failed. */
export type LocalFailureKind =
  | 'refused'
  | 'timedOut'
  | 'closed'
  | 'notHttp'
  | 'tls'
  | 'redirect'
  | 'status'
  | 'resolvesElsewhere'
  | 'notResolved'
  /** This window stopped listening or closed before there was a response. */
  | 'stopped'
  | 'network';

/** Returns the sentence to show. Undefined for a status, which needs no explanation. */
export function localFailureText(kind: LocalFailureKind, host: string): string | undefined {
  return SENTENCES[kind](host);
}

const SENTENCES: Readonly<Record<LocalFailureKind, (host: string) => string | undefined>> = {
  refused: (host) => t('Nothing is listening at {0}. Start your server, and then try again.', host),
  timedOut: () => t('No response within 30 seconds.'),
  closed: () => t('The server closed the connection without a response.'),
  notHttp: (host) => t("The server at {0} isn't a web server, or it requires HTTPS. Check the URL.", host),
  tls: (host) => t("The server at {0} doesn't accept HTTPS. Use an HTTP URL instead.", host),
  redirect: () => t("The handler redirects to another URL. Webhooks don't follow redirects."),
  status: () => undefined,
  resolvesElsewhere: (host) => t('{0} resolves to another computer, so nothing was sent.', host),
  notResolved: (host) => t("This computer can't resolve {0}. Use localhost or 127.0.0.1 instead.", host),
  stopped: () => t('Stopped before a response arrived.'),
  network: (host) => t("Couldn't reach {0}.", host),
};

/** Classifies an error of a connection or of its HTTP parser. */
export function kindOfError(error: unknown): LocalFailureKind {
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT') return 'timedOut';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'closed';
  if (code.startsWith('HPE_')) return 'notHttp';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO') return 'tls';
  return 'network';
}

// If a name has two addresses, the error holds one error for each.
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: unknown };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) ? codeOf(errors[0]) : '';
}
