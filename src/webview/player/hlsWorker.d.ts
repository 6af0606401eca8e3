/** The worker that comes with hls.js, as text: esbuild puts it into the bundle. */
declare module 'hls.js/dist/hls.worker.js' {
  const text: string;
  export default text;
}
