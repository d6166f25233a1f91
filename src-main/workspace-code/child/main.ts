// Entry point of the process that runs a workspace's own code: started by `ModuleProcess`, ends with its parent.

import type { ToChild } from '#main/workspace-code/messages.ts';
import { endWithParent } from './end-with-parent.ts';
import { settleToolCall } from './handler-call.ts';
import { followLoading } from './loading.ts';
import { answer } from './requests.ts';

endWithParent();
const loading = followLoading();
process.on('message', (message: ToChild) => {
  if (message.type === 'tool_result') settleToolCall(message);
  else void loading.then(() => answer(message.id, message.request));
});
