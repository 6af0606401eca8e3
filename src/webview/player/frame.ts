/**
 * Returns the current picture as PNG; undefined if there is none yet.
 * Throws a SecurityError if the server does not let other pages read its media (CORS).
 */
export async function readFrame(video: HTMLVideoElement): Promise<Uint8Array | undefined> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0 || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(video, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
}
