const vscode = require('vscode');

exports.activate = async () => {
  await vscode.commands.executeCommand('liveStreams.streams.focus');
  await vscode.commands.executeCommand('liveStreams.startDemo');
};
