import { appContract } from './app.ts';
import { consentContract } from './consent.ts';
import { conversationsContract } from './conversations.ts';
import { debugContract } from './debug.ts';
import { flowsContract } from './flows.ts';
import { mcpContract } from './mcp.ts';
import { modelsContract } from './models.ts';
import { runsContract } from './runs.ts';
import { secretsContract } from './secrets.ts';
import { serversContract } from './servers.ts';
import { toolsContract } from './tools.ts';
import { workspaceContract } from './workspace.ts';

/** The studio's whole API. Services implement it, hosts carry it, the renderer calls it. */
export const contract = {
  app: appContract,
  workspace: workspaceContract,
  flows: flowsContract,
  consent: consentContract,
  secrets: secretsContract,
  runs: runsContract,
  debug: debugContract,
  models: modelsContract,
  tools: toolsContract,
  mcp: mcpContract,
  servers: serversContract,
  conversations: conversationsContract,
};
