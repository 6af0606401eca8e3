/** At least four groups of four letters or digits, joined by hyphens (README.md, Streams). Ids have groups of other lengths. */
export const STREAM_KEY_SHAPE = '[a-z0-9]{4}(?:-[a-z0-9]{4}){3,}';
