import { isApiError } from '../../api/errors.ts';
import type { DownloadRequest, DownloadResponse, Downloads } from '../../services.ts';
import { checkMediaUrl } from '../addresses.ts';
import { DownloadError } from './downloadError.ts';

const MOST_HOPS = 5;

export interface Followed {
  readonly response: DownloadResponse;
  readonly host: string;
}

/**
 * Opens an address and follows up to 5 redirects that `checkMediaUrl` allows. No request contains a key, for any host.
 * Throws DownloadError, ApiError or an AbortError.
 */
export async function followDownload(
  transport: Downloads,
  request: DownloadRequest,
  connection: { readonly baseUrl: string },
): Promise<Followed> {
  let { url } = request;
  for (let hops = 0; hops <= MOST_HOPS; hops++) {
    const { host } = new URL(url);
    const response = await openDownload(transport, { ...request, url });
    const { location } = response.headers;
    if (!isRedirect(response.status) || location === undefined) return { response, host };
    response.dispose();
    url = nextAddress(location, url, connection);
  }
  throw new DownloadError('tooManyRedirects', { host: new URL(request.url).host });
}

async function openDownload(transport: Downloads, request: DownloadRequest): Promise<DownloadResponse> {
  try {
    return await transport.download(request);
  } catch (error) {
    if (isApiError(error) && error.why === 'redirect')
      throw new DownloadError('redirect', { host: new URL(request.url).host });
    throw error;
  }
}

function nextAddress(location: string, from: string, connection: { readonly baseUrl: string }): string {
  const next = URL.parse(location, from);
  if (next === null || !checkMediaUrl(next.href, connection).ok)
    throw new DownloadError('redirect', { host: new URL(from).host });
  return next.href;
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
