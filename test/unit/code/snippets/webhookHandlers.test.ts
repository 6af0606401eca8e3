import assert from 'node:assert/strict';
import { findMainPlace } from '../../../../src/code/snippets/insertion.ts';
import { webhookHandlers } from '../../../../src/code/snippets/webhookHandlers.ts';
import { openText } from '../../../support/code/openText.ts';
import { insertHandler, SERVER_GRAMMARS } from '../../../support/code/serverCode.ts';
import { fileParser } from '../../../support/code/syntaxTree.ts';

function handlersAt(languageId: string, marked: string, manifests: readonly string[] = []) {
  const file = openText(languageId, marked);
  return webhookHandlers(findMainPlace(file), file.text, manifests);
}

const idsAt = (...given: Parameters<typeof handlersAt>) => handlersAt(...given).map(({ id }) => id);

describe('A webhook handler', () => {
  for (const [languageId, grammar] of Object.entries(SERVER_GRAMMARS)) {
    it(`is code of its language, as a file of its own and as a preview: ${languageId}`, async () => {
      const parse = await fileParser(grammar);
      const handlers = handlersAt(languageId, '|');
      assert.ok(handlers.length >= 1);
      for (const { id, text } of handlers) {
        assert.deepEqual(parse(text), [], text);
        assert.equal(insertHandler(languageId, '|', id, unitOf(languageId)), text);
      }
    });
  }

  it('has the secret from a variable, the signature compared in constant time, and the events', () => {
    for (const languageId of Object.keys(SERVER_GRAMMARS)) {
      for (const { text } of handlersAt(languageId, '|')) {
        assert.match(text, /\bLIVEPEER_WEBHOOK_SECRET\b/);
        assert.match(text, /timingSafeEqual\(|subtle\.verify\(|compare_digest\(|hmac\.Equal\(/);
        for (const event of ['stream.started', 'stream.idle', 'recording.ready']) assert.ok(text.includes(event));
      }
    }
  });

  it('is there for languages of servers only, and not for the script of a page', () => {
    assert.deepEqual(idsAt('go', '|'), ['netHttp']);
    assert.deepEqual(idsAt('python', '|'), ['fastapi', 'flask']);
    assert.deepEqual(idsAt('typescriptreact', '|'), ['express', 'next', 'fastify', 'hono']);
    for (const languageId of ['swift', 'markdown', 'plaintext', '__proto__'])
      assert.deepEqual(idsAt(languageId, '|'), []);
    assert.deepEqual(idsAt('html', '<script>\n|\n</script>'), []);
    assert.deepEqual(idsAt('vue', '<script setup>\n|\n</script>'), []);
  });

  it('is first that of the framework that the file names, then of those that a manifest names', () => {
    const manifest = JSON.stringify({ dependencies: { hono: '4', next: '16' }, scripts: { express: '' } });
    assert.deepEqual(idsAt('typescript', '|', ['{"dependencies":{"hono":"4","next":"16"}}']).slice(0, 2), [
      'next',
      'hono',
    ]);
    const file = "import Fastify from 'fastify';\n\nexport function use(next) {\n  next();\n}\n|\n";
    assert.deepEqual(idsAt('javascript', file, [manifest]), ['fastify', 'express', 'next', 'hono']);
    assert.deepEqual(idsAt('typescript', '|', ['{"dependencies":{"next-auth":"4","@hono/zod":"1"}}'])[0], 'express');
    assert.deepEqual(idsAt('python', '|', ['requests\nFlask==3.1\n']), ['flask', 'fastapi']);
    assert.deepEqual(idsAt('python', 'from fastapi import FastAPI\n|\n', ['flask']), ['fastapi', 'flask']);
  });

  it('uses the app of the file, whatever its name is, and starts no other', () => {
    const at = (languageId: string, marked: string, id: Parameters<typeof insertHandler>[2]) => {
      const text = insertHandler(languageId, marked, id);
      assert.doesNotMatch(text, /listen\(|export default|^app = |const app\b/m);
      return text;
    };
    const express = "import express from 'express';\nconst web: Express = express();\n|\n";
    assert.match(at('typescript', express, 'express'), /^web\.post\('\/api\/webhook'/m);
    const router = "import { Router } from 'express';\nexport const hooks = Router();\n|\n";
    const routed = at('typescript', router, 'express');
    assert.match(routed, /^hooks\.post\('\/api\/webhook', express\.raw/m);
    assert.match(routed, /^import express from 'express';$/m);
    const plugin = 'export default async function (fastify, options) {\n  |\n}\n';
    assert.match(at('javascript', plugin.replace('default ', ''), 'fastify'), /^ {2}fastify\.register\(/m);
    assert.match(at('typescript', 'const api = new Hono<{ Bindings: A }>();\n|\n', 'hono'), /^api\.post\(/m);
    assert.match(at('python', 'hooks = Blueprint("hooks", __name__)\n|\n', 'flask'), /^@hooks\.post\(/m);
    assert.match(at('python', 'router: APIRouter = APIRouter()\n|\n', 'fastapi'), /^@router\.post\(/m);
  });

  it('imports only what is missing, in the way of the file', () => {
    const topOf = (text: string) => text.slice(0, text.search(/^(?:const app|app\b|web\b|@|\/\/ )/m)).trimEnd();
    const required = "const express = require('express');\nconst { createHmac } = require('crypto');\n\n|\n";
    assert.equal(
      topOf(insertHandler('javascript', required, 'express')),
      "const express = require('express');\nconst { createHmac, timingSafeEqual } = require('crypto');",
    );
    const fresh = "require('dotenv').config();\n\n|\n";
    assert.equal(
      topOf(insertHandler('javascript', fresh, 'fastify')),
      "require('dotenv').config();\nconst { createHmac, timingSafeEqual } = require('node:crypto');\nconst Fastify = require('fastify');",
    );
    const star = "import * as express from 'express';\nimport { createHmac } from 'crypto';\n\n|\n";
    assert.equal(
      topOf(insertHandler('typescript', star, 'express')),
      "import * as express from 'express';\nimport { createHmac, timingSafeEqual } from 'crypto';",
    );
    const python = 'import os\nfrom flask import Flask, jsonify  # web\n\nweb = Flask(__name__)\n\n|\n';
    assert.equal(
      topOf(insertHandler('python', python, 'flask')),
      'import os\nfrom flask import Flask, jsonify, abort, request  # web\nimport hashlib\nimport hmac',
    );
    const group = 'from flask import (\n    Flask,\n    abort,\n)\n\nweb = Flask(__name__)\n\n|\n';
    assert.equal(
      topOf(insertHandler('python', group, 'flask')),
      'from flask import (\n    Flask,\n    abort, request,\n)\nimport hashlib\nimport hmac\nimport os',
    );
  });

  it('is a function of its own in Go, registered where it can be', () => {
    const at = (marked: string) => insertHandler('go', marked, 'netHttp', '\t');
    assert.match(
      at('|'),
      /^package main\n[\s\S]*^func main\(\) \{\n\thttp\.HandleFunc\("\/api\/webhook", handleWebhook\)/m,
    );
    assert.doesNotMatch(at('package main\n\nfunc main() {\n}\n\n|\n'), /HandleFunc/);
    assert.doesNotMatch(at('package hooks\n\n|\n'), /func main/);
    assert.match(at('package hooks\n\nfunc use() {\n\t|\n}\n'), /^\thttp\.HandleFunc\("\/api\/webhook", func\(w/m);
  });
});

function unitOf(languageId: string): string {
  return languageId === 'go' ? '\t' : languageId === 'python' ? '    ' : '  ';
}
