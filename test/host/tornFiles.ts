import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** A file system that writes so many bytes of a file, and doesn't say so. */
export function tornFiles(files: Map<string, string>, limits: { bytes: number }): vscode.FileSystemProvider {
  const changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const textOf = ({ path }: vscode.Uri) => files.get(path) ?? assert.fail(vscode.FileSystemError.FileNotFound(path));
  return {
    onDidChangeFile: changes.event,
    watch: () => new vscode.Disposable(() => {}),
    stat: (uri) => ({ type: vscode.FileType.File, ctime: 0, mtime: Date.now(), size: textOf(uri).length }),
    readFile: (uri) => Buffer.from(textOf(uri)),
    writeFile: ({ path }, bytes) => void files.set(path, Buffer.from(bytes.subarray(0, limits.bytes)).toString()),
    delete: ({ path }) => void files.delete(path),
    readDirectory: () => [],
    createDirectory: () => assert.fail(),
    rename: () => assert.fail(),
  };
}
