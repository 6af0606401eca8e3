import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moveKeysIn } from '../support/code/movedKeys.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { itWith } from '../support/runner/itWith.ts';

/** Prints why a file that was parsed before isn't anymore, and how many are. */
const PYTHON_CHECK = `
import ast, json, warnings
warnings.simplefilter("ignore")

def fault(text):
    try:
        ast.parse(text)
    except Exception as error:
        return str(error)

checked = 0
for each in json.load(open("moved.json", encoding="utf-8")):
    if fault(each["before"]) is None:
        checked += 1
        if fault(each["after"]) is not None:
            print(fault(each["after"]), each["after"])
print(checked)
`;

/** Also why the variable isn't one, or its package isn't imported once. */
const GO_CHECK = `package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

func fault(text string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", text, 0)
	if err != nil {
		return err.Error()
	}
	imported, constant := 0, false
	for _, each := range file.Imports {
		if each.Path.Value == "\\"os\\"" && each.Name == nil {
			imported++
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if declared, is := node.(*ast.GenDecl); is && declared.Tok == token.CONST {
			ast.Inspect(declared, func(inner ast.Node) bool {
				if literal, is := inner.(*ast.BasicLit); is && literal.Value == "\\"STREAM_KEY\\"" {
					constant = true
				}
				return true
			})
		}
		return true
	})
	if constant || imported != 1 {
		return fmt.Sprint("constant: ", constant, ", imports: ", imported)
	}
	return ""
}

func main() {
	data, err := os.ReadFile("moved.json")
	if err != nil {
		panic(err)
	}
	var all []struct{ Before, After string }
	if err := json.Unmarshal(data, &all); err != nil {
		panic(err)
	}
	checked := 0
	for _, each := range all {
		if _, err := parser.ParseFile(token.NewFileSet(), "a.go", each.Before, 0); err == nil {
			checked++
			if why := fault(each.After); why != "" {
				fmt.Println(why, each.After)
			}
		}
	}
	fmt.Println(checked)
}
`;

describe('Keys in the files of other languages’ own libraries', () => {
  let folder = '';
  before(() => {
    folder = makeTemporaryFolder('moved');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  itWith('python3')('are moved so that Python still reads the file', async () => {
    const library = run('python3', '-c', 'import sysconfig; print(sysconfig.get_paths()["stdlib"])').trim();
    const cwd = writeMoved('python', globSync([join(library, '*.py'), join(library, 'email/*.py')]));
    writeFileSync(join(cwd, 'check.py'), PYTHON_CHECK);
    assertSound(execFileSync('python3', ['check.py'], { cwd, encoding: 'utf8' }));
  });

  itWith('go')('are moved so that Go still reads the file, to no constant, and with the import', async () => {
    const library = join(run('go', 'env', 'GOROOT').trim(), 'src');
    const folders = ['net', 'net/*', 'encoding/*', 'text/*', 'os'];
    const cwd = writeMoved('go', globSync(folders.map((each) => join(library, each, '*.go'))));
    writeFileSync(join(cwd, 'check.go'), GO_CHECK);
    const env = { ...process.env, GO111MODULE: 'off' };
    assertSound(execFileSync('go', ['run', 'check.go'], { cwd, env, encoding: 'utf8' }));
  });

  function run(program: string, ...args: readonly string[]): string {
    return execFileSync(program, args, { encoding: 'utf8' });
  }

  function writeMoved(languageId: string, files: readonly string[]): string {
    const texts = files.map((file) => readFileSync(file, 'utf8')).filter(({ length }) => length < 30_000);
    const moved = texts
      .flatMap((text) => [...moveKeysIn(languageId, text, 10)])
      .filter(({ after }) => after !== undefined);
    const cwd = join(folder, languageId);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'moved.json'), JSON.stringify(moved));
    return cwd;
  }

  /** Nothing is printed but the number of files. */
  function assertSound(printed: string): void {
    assert.match(printed.slice(0, 2000), /^\d+\n$/);
    assert.ok(Number(printed) > 200, printed);
  }
});
