import { studio } from '#renderer/api/studio.ts';
import { showFlow } from '#renderer/document/flows/editor.ts';
import { noticeDone, noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import { texts } from './texts.ts';

/** Imports a PyFlow workflow as a flow beside it, and shows the flow. `update` brings an earlier import up to date. True when it was imported. */
export async function importWorkflow(path: string, { update = false }: { readonly update?: boolean } = {}): Promise<boolean> {
  try {
    const { flow, problems } = await studio.flows.importWorkflow({ path, update });
    if (flow === null) {
      const errors = problems.filter(({ severity }) => severity === 'error');
      noticeProblem(texts.workflow.notImported(path), texts.workflow.errors(path, errors));
      return false;
    }
    await showFlow(flow);
    const warnings = problems.filter(({ severity }) => severity === 'warning').length;
    noticeDone(texts.workflow[update ? 'updated' : 'imported'](flow, warnings));
    return true;
  } catch (thrown) {
    noticeFailure(texts.workflow.notImported(path), thrown);
    return false;
  }
}
