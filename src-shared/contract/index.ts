import { appContract } from '#shared/contract/app.ts';
import { consentContract } from '#shared/contract/consent.ts';
import { flowsContract } from '#shared/contract/flows.ts';
import { mcpContract } from '#shared/contract/mcp.ts';
import { modelsContract } from '#shared/contract/models.ts';
import { runsContract } from '#shared/contract/runs.ts';
import { secretsContract } from '#shared/contract/secrets.ts';
import { toolsContract } from '#shared/contract/tools.ts';
import { workspaceContract } from '#shared/contract/workspace.ts';

/** The studio's whole API. Services implement it, hosts carry it, the renderer calls it. */
export const contract = {
  app: appContract,
  workspace: workspaceContract,
  flows: flowsContract,
  consent: consentContract,
  secrets: secretsContract,
  runs: runsContract,
  models: modelsContract,
  tools: toolsContract,
  mcp: mcpContract,
};
