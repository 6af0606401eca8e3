/** The worker of hls.js as text, inlined by esbuild. */
declare module 'hls.js/dist/hls.worker.js' {
  const text: string;
  export default text;
}
