import { ownValue } from '../../util/ownValue.ts';
import { literal, shellWord } from '../literals.ts';
import type { Place } from './place.ts';
import type { Program } from './players.ts';

/** A request to the service's API. The key is an environment variable and never in the text. */
export interface ApiRequest {
  readonly kind: 'getStream' | 'getSession' | 'listSessions' | 'createStream';
  readonly url: string;
}

/** Returns code that sends the request; undefined for unsupported languages. */
export function requestCode(request: ApiRequest, { languageId, depth }: Place): Program | undefined {
  return ownValue(WRITERS, languageId)?.({ ...request, url: literal(request.url, languageId) }, languageId, depth > 0);
}

/** The request's URL is a literal. */
type Writer = (request: ApiRequest, languageId: string, isNested: boolean) => Program;

const WRITERS: Readonly<Record<string, Writer>> = {
  javascript: withFetch,
  javascriptreact: withFetch,
  typescript: withFetch,
  typescriptreact: withFetch,
  python: withRequests,
  go: withNetHttp,
  swift: withUrlSession,
  kotlin: withUrlConnection,
  dart: withHttpPackage,
  shellscript: withCurl,
};

function withFetch({ kind, url }: ApiRequest, languageId: string): Program {
  const isTyped = languageId.startsWith('typescript');
  const authorization = 'authorization: `Bearer $' + '{process.env.LIVEPEER_API_KEY}`';
  const options =
    kind === 'createStream'
      ? `    method: 'POST',
    headers: {
      ${authorization},
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name }),`
      : `    headers: { ${authorization} },`;
  const parameter = kind === 'createStream' ? `name${isTyped ? ': string' : ''}` : '';
  const code = `async function ${kind}(${parameter}) {
  const response = await fetch(${url}, {
${options}
  });
  if (!response.ok) throw new Error(\`The API answered \${response.status}\`);
  return response.json();
}`;
  return { imports: [], code };
}

const PYTHON_NAMES: Readonly<Record<ApiRequest['kind'], string>> = {
  getStream: 'get_stream',
  getSession: 'get_session',
  listSessions: 'list_sessions',
  createStream: 'create_stream',
};

function withRequests({ kind, url }: ApiRequest): Program {
  const isCreation = kind === 'createStream';
  const code = `def ${PYTHON_NAMES[kind]}(${isCreation ? 'name' : ''}):
  response = requests.${isCreation ? 'post' : 'get'}(
    ${url},
    headers={'Authorization': f"Bearer {os.environ['LIVEPEER_API_KEY']}"},${isCreation ? "\n    json={'name': name}," : ''}
    timeout=20,
  )
  response.raise_for_status()
  return response.json()`;
  return { imports: ['import os', 'import requests'], code };
}

function withNetHttp({ kind, url }: ApiRequest, _languageId: string, isNested: boolean): Program {
  const isCreation = kind === 'createStream';
  const [result, type] = kind === 'listSessions' ? ['sessions', '[]map[string]any'] : ['stream', 'map[string]any'];
  const sent = isCreation
    ? `  body, err := json.Marshal(map[string]string{"name": name})
  if err != nil {
    return nil, err
  }
  request, err := http.NewRequest(http.MethodPost, ${url}, bytes.NewReader(body))`
    : `  request, err := http.NewRequest(http.MethodGet, ${url}, nil)`;
  const contentType = isCreation ? '\n  request.Header.Set("Content-Type", "application/json")' : '';
  const rest = `(${isCreation ? 'name string' : ''}) (${type}, error) {
${sent}
  if err != nil {
    return nil, err
  }
  request.Header.Set("Authorization", "Bearer "+os.Getenv("LIVEPEER_API_KEY"))${contentType}
  response, err := http.DefaultClient.Do(request)
  if err != nil {
    return nil, err
  }
  defer response.Body.Close()
  if response.StatusCode >= 300 {
    return nil, fmt.Errorf("the API answered %s", response.Status)
  }
  var ${result} ${type}
  err = json.NewDecoder(response.Body).Decode(&${result})
  return ${result}, err
}`;
  const packages = [
    ...(isCreation ? ['bytes'] : []),
    ...['encoding/json', 'fmt'],
    ...(isNested ? ['log'] : []),
    ...['net/http', 'os'],
  ];
  const imports = packages.map((path) => `import "${path}"`);
  if (!isNested) return { imports, code: `func ${kind}${rest}` };
  // Nested functions can't have names.
  const call = `${result}, err := func${rest}(${isCreation ? '"New stream"' : ''})`;
  return { imports, code: `${call}\nif err != nil {\n  log.Fatal(err)\n}\nlog.Println(${result})` };
}

function withUrlSession({ kind, url }: ApiRequest): Program {
  const isCreation = kind === 'createStream';
  const type = kind === 'listSessions' ? '[[String: Any]]' : '[String: Any]';
  const body = isCreation
    ? `
  request.httpMethod = "POST"
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  request.httpBody = try JSONSerialization.data(withJSONObject: ["name": name])`
    : '';
  const code = `func ${kind}(${isCreation ? 'name: String' : ''}) async throws -> ${type} {
  var request = URLRequest(url: URL(string: ${url})!)
  let key = ProcessInfo.processInfo.environment["LIVEPEER_API_KEY"] ?? ""
  request.setValue("Bearer \\(key)", forHTTPHeaderField: "Authorization")${body}
  let (data, response) = try await URLSession.shared.data(for: request)
  guard let status = (response as? HTTPURLResponse)?.statusCode, status < 300 else {
    throw URLError(.badServerResponse)
  }
  return try JSONSerialization.jsonObject(with: data) as? ${type} ?? ${kind === 'listSessions' ? '[]' : '[:]'}
}`;
  return { imports: ['import Foundation'], code };
}

function withUrlConnection({ kind, url }: ApiRequest): Program {
  const isCreation = kind === 'createStream';
  const body = isCreation
    ? `
  connection.requestMethod = "POST"
  connection.doOutput = true
  connection.setRequestProperty("Content-Type", "application/json")
  val body = JSONObject(mapOf("name" to name)).toString()
  connection.outputStream.use { it.write(body.toByteArray()) }`
    : '';
  const code = `fun ${kind}(${isCreation ? 'name: String' : ''}): String {
  val connection = URL(${url}).openConnection() as HttpURLConnection
  connection.setRequestProperty("Authorization", "Bearer \${System.getenv("LIVEPEER_API_KEY")}")${body}
  check(connection.responseCode < 300) { "The API answered \${connection.responseCode}" }
  return connection.inputStream.bufferedReader().use { it.readText() }
}`;
  const json = isCreation ? ['import org.json.JSONObject'] : [];
  return { imports: ['import java.net.HttpURLConnection', 'import java.net.URL', ...json], code };
}

function withHttpPackage({ kind, url }: ApiRequest): Program {
  const isCreation = kind === 'createStream';
  const type = kind === 'listSessions' ? 'List<dynamic>' : 'Map<String, dynamic>';
  const authorization = `'Authorization': 'Bearer \${Platform.environment['LIVEPEER_API_KEY']}'`;
  const headers = isCreation
    ? `headers: {
      ${authorization},
      'Content-Type': 'application/json',
    },
    body: jsonEncode({'name': name}),`
    : `headers: {${authorization}},`;
  const code = `Future<${type}> ${kind}(${isCreation ? 'String name' : ''}) async {
  final response = await http.${isCreation ? 'post' : 'get'}(
    Uri.parse(${url}),
    ${headers}
  );
  if (response.statusCode >= 300) throw HttpException('The API answered \${response.statusCode}');
  return jsonDecode(response.body) as ${type};
}`;
  const imports = ["import 'dart:convert';", "import 'dart:io';", "import 'package:http/http.dart' as http;"];
  return { imports, code };
}

function withCurl({ kind, url }: ApiRequest): Program {
  const authorization = '--header "Authorization: Bearer $LIVEPEER_API_KEY"';
  if (kind !== 'createStream') return { imports: [], code: `curl --fail-with-body ${authorization} ${url}` };
  const code = `curl --fail-with-body ${authorization} \\
  --header "Content-Type: application/json" \\
  --data ${shellWord('{"name": "New stream"}')} ${url}`;
  return { imports: [], code };
}
