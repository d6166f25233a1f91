// Entry point of the process that runs a workspace's own code: started by `ModuleProcess`, ends with its parent.

import { endWithParent } from '#main/workspace-code/child/end-with-parent.ts';
import { takeToolResult } from '#main/workspace-code/child/handler-call.ts';
import { followLoading } from '#main/workspace-code/child/loading.ts';
import { answer } from '#main/workspace-code/child/requests.ts';
import type { ToChild } from '#main/workspace-code/messages.ts';

endWithParent();
const loading = followLoading();
process.on('message', (message: ToChild) => {
  if (message.type === 'tool_result') takeToolResult(message);
  else void loading.then(() => answer(message.id, message.request));
});
