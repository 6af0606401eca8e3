/** Files of tests that depend on what the service offers: they run on both variants of the demo service. */
export const ON_BOTH_FACES: readonly string[] = ['agents', 'jsonDocuments', 'settingsInForce', 'treeCommands'];
/**
 * All others show the same on either and run once: these on the strict variant, so that both runs take about as long.
 */
export const ON_STRICT_FACE: readonly string[] = [
  'badAnswers',
  'boxes',
  'connections',
  'copying',
  'hostileWorkspace',
  'leaks',
  'looks',
  'pages',
  'progress',
];

/** @param name of a file of tests, without its ending */
export function runsOnFace(face: string | undefined, name: string): boolean {
  return ON_BOTH_FACES.includes(name) || ON_STRICT_FACE.includes(name) === (face === 'strict');
}
