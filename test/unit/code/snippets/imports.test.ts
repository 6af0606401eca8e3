import assert from 'node:assert/strict';
import { planImports } from '../../../../src/code/snippets/imports.ts';
import { applyChanges } from '../../../support/code/openText.ts';
import { fileParser } from '../../../support/code/syntaxTree.ts';

const NET = ['import "net/http"'];
const REQUESTS = ['import requests'];
const HLS = ["import Hls from 'hls.js';"];

/** Files, what is imported, and what stands in their place then. */
const CASES: readonly (readonly [languageId: string, text: string, lines: readonly string[], expected: string])[] = [
  [
    'go',
    'package a\n\nimport (\n\t"fmt" // prints (stdout)\n\t"os"\n)\n\nfunc b() {}\n',
    NET,
    'package a\n\nimport (\n\t"fmt" // prints (stdout)\n\t"os"\n\t"net/http"\n)\n\nfunc b() {}\n',
  ],
  [
    'go',
    'package a\n\nimport ( // (std)\n\t"fmt" /* ) */\n)\n',
    NET,
    'package a\n\nimport ( // (std)\n\t"fmt" /* ) */\n\t"net/http"\n)\n',
  ],
  ['go', 'package a\n\nimport ("fmt"; "io")\n', NET, 'package a\n\nimport ("fmt"; "io"\n\t"net/http"\n)\n'],
  ['go', 'package a\n\nimport ("fmt"; "net/http")\n', NET, 'package a\n\nimport ("fmt"; "net/http")\n'],
  [
    'go',
    'package a\n\n// #include <stdio.h>\nimport "C"\n',
    NET,
    'package a\n\n// #include <stdio.h>\nimport "C"\nimport "net/http"\n',
  ],
  [
    'go',
    'package a\n\nimport "fmt" // prints (stdout)\n',
    NET,
    'package a\n\nimport (\n\t"fmt" // prints (stdout)\n\t"net/http"\n)\n',
  ],
  [
    'python',
    'from os import path, \\\n    sep\nx = 1\n',
    REQUESTS,
    'from os import path, \\\n    sep\nimport requests\nx = 1\n',
  ],
  [
    'python',
    'from typing import (\n    Any,  # anything :)\n    List,\n)\nx = 1\n',
    REQUESTS,
    'from typing import (\n    Any,  # anything :)\n    List,\n)\nimport requests\nx = 1\n',
  ],
  ['python', 'import a  # C:\\\nx = 1\n', REQUESTS, 'import a  # C:\\\nimport requests\nx = 1\n'],
  [
    'python',
    'from flask import Flask, \\\n    request\n',
    ['from flask import Flask, abort'],
    'from flask import abort, Flask, \\\n    request\n',
  ],
  [
    'python',
    'from flask import (\n    Flask,  # the app (WSGI)\n    request,  # a, b\n)\n',
    ['from flask import request, abort'],
    'from flask import (\n    abort, Flask,  # the app (WSGI)\n    request,  # a, b\n)\n',
  ],
  ['python', 'from flask import *\n', ['from flask import Flask, abort'], 'from flask import *\n'],
  [
    'typescript',
    "import {\n  a, // the 'a'\n  b,\n} from 'c';\nd();\n",
    HLS,
    "import {\n  a, // the 'a'\n  b,\n} from 'c';\nimport Hls from 'hls.js';\nd();\n",
  ],
  [
    'typescript',
    "import fs = require('fs');\nimport B = A.B;\nfunction c() {\n  d('e');\n}\n",
    HLS,
    "import fs = require('fs');\nimport B = A.B;\nimport Hls from 'hls.js';\nfunction c() {\n  d('e');\n}\n",
  ],
  [
    'javascript',
    "import a from './a.json' with {\n  type: 'json',\n};\nb();\n",
    HLS,
    "import a from './a.json' with {\n  type: 'json',\n};\nimport Hls from 'hls.js';\nb();\n",
  ],
  [
    'javascriptreact',
    "import {\n  useRef, // of {the} element\n  useState,\n} from 'react';\n",
    ["import { useEffect, useRef, useState } from 'react';"],
    "import {\n  useEffect, useRef, // of {the} element\n  useState,\n} from 'react';\n",
  ],
  [
    'javascript',
    "const a = require('a');\nconst b = require('b')({\n  c: 1,\n});\n",
    ["const Hls = require('hls.js');"],
    "const a = require('a');\nconst Hls = require('hls.js');\nconst b = require('b')({\n  c: 1,\n});\n",
  ],
  [
    'javascript',
    "const a = require('a').config();\nconst b = require('b')\n  .c;\n",
    ["const Hls = require('hls.js');"],
    "const a = require('a').config();\nconst Hls = require('hls.js');\nconst b = require('b')\n  .c;\n",
  ],
  [
    'dart',
    "import 'a.dart' // a; b\n    show A;\nvar c = 1;\n",
    ["import 'd.dart';"],
    "import 'a.dart' // a; b\n    show A;\nimport 'd.dart';\nvar c = 1;\n",
  ],
];

const GRAMMARS: Readonly<Record<string, string>> = { javascriptreact: 'javascript' };

describe('Imports in files of people', () => {
  for (const languageId of new Set(CASES.map(([each]) => each))) {
    it(`stand behind whole imports, whatever these hold: ${languageId}`, async () => {
      const parse = await fileParser(GRAMMARS[languageId] ?? languageId);
      for (const [, text, lines, expected] of CASES.filter(([each]) => each === languageId)) {
        const range = { start: 0, end: text.length, indentation: '' };
        const result = applyChanges(text, planImports(languageId, text, range, lines).changes);
        assert.equal(result, expected);
        assert.deepEqual(parse(result).length, parse(text).length, result);
      }
    });
  }
});
