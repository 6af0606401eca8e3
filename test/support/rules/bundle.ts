import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The part of esbuild's metafile that is read here. */
interface Metafile {
  readonly outputs: Readonly<Record<string, Output>>;
}

interface Output {
  readonly bytes: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

/** A file that was built, by its name in its folder. */
export interface BuiltFile {
  readonly name: string;
  readonly bytes: number;
  /** The sources and packages in it, by their paths: 'src/util/events.ts', 'node_modules/undici/index.js'. */
  readonly modules: readonly string[];
}

/** The scripts that the last build put into `dist` or `dist/webview`, as the meta.json there has them. */
export class Built {
  readonly files: ReadonlyMap<string, BuiltFile>;
  readonly #imports: ReadonlyMap<string, readonly string[]>;

  constructor(folder: string) {
    const { outputs }: Metafile = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'));
    const scripts = Object.entries(outputs).filter(([path]) => path.endsWith('.js'));
    this.files = new Map(scripts.map(([path, output]) => [basename(path), readFile(path, output)]));
    this.#imports = new Map(scripts.map(([path, output]) => [basename(path), importsOf(output)]));
  }

  /** The file that has this module; throws where none has it. */
  fileOf(module: string): BuiltFile {
    const found = [...this.files.values()].find(({ modules }) => modules.includes(module));
    if (found === undefined) throw new Error(`${module} is in no file that was built`);
    return found;
  }

  /** What Node loads with a file: itself, all that it imports, and so on. What it asks for with import() comes later. */
  loadedWith(name: string): ReadonlySet<BuiltFile> {
    const found = new Set<BuiltFile>();
    const follow = (each: string): void => {
      const file = this.files.get(each);
      if (file === undefined) throw new Error(`There is no ${each}`);
      if (found.has(file)) return;
      found.add(file);
      this.#imports.get(each)?.forEach(follow);
    };
    follow(name);
    return found;
  }
}

function readFile(path: string, { bytes, inputs }: Output): BuiltFile {
  return { name: basename(path), bytes, modules: Object.keys(inputs).map(withoutWayToPackages) };
}

function importsOf({ imports }: Output): readonly string[] {
  const own = imports.filter(({ kind, external }) => kind !== 'dynamic-import' && external !== true);
  return own.map(({ path }) => basename(path));
}

/** Where node_modules is a link, its packages have the path of what it leads to. */
function withoutWayToPackages(path: string): string {
  return path.replace(/^.*?(?=node_modules\/)/, '');
}
