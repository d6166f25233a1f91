import * as vscode from 'vscode';
import { adapterCommand, debugFlow, resolveConfiguration } from './configuration.ts';

/** Called by VS Code when a flow is about to be debugged. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider('pravah', { resolveDebugConfiguration: (_folder, given) => resolve(given) }),
    vscode.debug.registerDebugAdapterDescriptorFactory('pravah', { createDebugAdapterDescriptor: startAdapter }),
    vscode.commands.registerCommand('pravah.debugFlow', debugActiveFlow),
  );
}

/** Returns null for one that can't be started: VS Code then does nothing more. */
async function resolve(given: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | null> {
  const resolved = resolveConfiguration(given, vscode.window.activeTextEditor?.document.fileName);
  if ('configuration' in resolved) return resolved.configuration;
  await vscode.window.showErrorMessage(resolved.problem);
  return null;
}

function startAdapter(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
  const settings = vscode.workspace.getConfiguration('pravah');
  const { command, args } = adapterCommand({ path: settings.get('path'), arguments: settings.get('arguments') });
  const cwd = session.workspaceFolder?.uri.fsPath;
  return new vscode.DebugAdapterExecutable(command, args, cwd === undefined ? {} : { cwd });
}

async function debugActiveFlow(uri: vscode.Uri | undefined): Promise<void> {
  const file = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (!file) return;
  // What is run is what is on disk.
  await vscode.workspace.save(file);
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), debugFlow(file.fsPath));
}
