// Entry point of the process that runs a workspace's own code: started by `ModuleProcess`, ends with its parent.

import { endWithParent } from '#main/modules/child/end-with-parent.ts';
import { takeToolResult } from '#main/modules/child/handler-call.ts';
import { followLoading } from '#main/modules/child/loading.ts';
import { answer } from '#main/modules/child/requests.ts';
import type { ToChild } from '#main/modules/messages.ts';

endWithParent();
const loading = followLoading();
process.on('message', (message: ToChild) => {
  if (message.type === 'tool_result') takeToolResult(message);
  else void loading.then(() => answer(message.id, message.request));
});
