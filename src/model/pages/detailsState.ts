/** The webview panel's type; package.json's activation events name it too. */
export const DETAILS_VIEW = 'liveStreams.details';
