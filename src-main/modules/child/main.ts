// The program of the process in which a workspace's own code runs: started by `ModuleProcess`, ends with the process that started it.

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
