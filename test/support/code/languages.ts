/** How a file of a language looks in which a literal is the value of a variable, or stands in a text. */
export const FILES: Readonly<
  Record<string, { readonly grammar?: string; readonly write: (literal: string) => string }>
> = {
  javascript: { write: (literal) => `const x = ${literal};` },
  typescript: { write: (literal) => `const x = ${literal};` },
  javascriptreact: { grammar: 'tsx', write: (literal) => `const x = <p title={${literal}}></p>;` },
  typescriptreact: { grammar: 'tsx', write: (literal) => `const x = <p title={${literal}}></p>;` },
  python: { write: (literal) => `x = ${literal}` },
  go: { write: (literal) => `package main\nvar x = ${literal}` },
  java: { write: (literal) => `class A { String x = ${literal}; }` },
  csharp: { grammar: 'c_sharp', write: (literal) => `class A { string x = ${literal}; }` },
  kotlin: { write: (literal) => `val x = ${literal}` },
  dart: { write: (literal) => `var x = ${literal};` },
  rust: { write: (literal) => `const X: &str = ${literal};` },
  swift: { write: (literal) => `let x = ${literal}` },
  lua: { write: (literal) => `x = ${literal}` },
  c: { write: (literal) => `char *x = ${literal};` },
  cpp: { write: (literal) => `auto x = ${literal};` },
  css: { write: (literal) => `p { content: ${literal}; }` },
  scss: { write: (literal) => `p { content: ${literal}; }` },
  ruby: { write: (literal) => `x = ${literal}` },
  php: { write: (literal) => `<?php $x = ${literal};` },
  json: { write: (literal) => `{ "x": ${literal} }` },
  yaml: { write: (literal) => `x: ${literal}` },
  shellscript: { grammar: 'bash', write: (literal) => `x=${literal}` },
  html: { write: (literal) => `<p title="${literal}">x</p>` },
  xml: { write: (literal) => `<p title="${literal}">x</p>` },
};
