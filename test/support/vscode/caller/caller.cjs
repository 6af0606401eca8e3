const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');

/** Makes the call that stands in call.json of the open folder, and writes what comes of it to answer.json. */
exports.activate = ({ subscriptions }) => {
  const changes = [];
  subscriptions.push(
    vscode.commands.registerCommand('liveStreamsCaller.call', async () => {
      const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
      const call = JSON.parse(readFileSync(join(folder, 'call.json'), 'utf8'));
      const answer = await make(call, changes).then(
        (value) => ({ value }),
        (error) => ({ error: error.message, name: error.name }),
      );
      writeFileSync(join(folder, 'answer.json'), JSON.stringify({ number: call.number, ...answer }));
    }),
  );
};

async function make({ command, tool, exported, args }, changes) {
  if (command !== undefined) return vscode.commands.executeCommand(command, ...args);
  if (tool !== undefined) {
    const { content } = await vscode.lm.invokeTool(tool, { input: args[0], toolInvocationToken: undefined });
    return content.map((part) => part.value).join('');
  }
  const api = await vscode.extensions.getExtension('live-streams.live-streams').activate();
  if (exported === 'follow') api.onDidChangeLiveStreams(() => changes.push('changed'));
  else if (exported === 'changes') return changes;
  else return api[exported](...args);
}
