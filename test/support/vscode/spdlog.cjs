// Stands in for the editor's logger @vscode/spdlog, a native module that is not built here: without it the editor keeps no
// log at all. It is loaded by the editor's own processes, so it is plain JavaScript.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  #file;
  #level = 2;
  #isPlain = false;

  constructor(file) {
    this.#file = file;
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  /** Messages bring their own time and level. */
  clearFormatters() {
    this.#isPlain = true;
  }

  setPattern() {}
  flush() {}
  drop() {}

  write(level, message) {
    if (LEVELS.indexOf(level) < this.#level) return;
    const line = this.#isPlain ? message : `${new Date().toISOString()} [${level}] ${message}\n`;
    try {
      appendFileSync(this.#file, line);
    } catch {
      // The data of a server that is being closed is removed under it.
    }
  }
}

for (const level of LEVELS) {
  Logger.prototype[level] = function (message) {
    this.write(level, message);
  };
}

async function createLogger(_name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger(file);
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
