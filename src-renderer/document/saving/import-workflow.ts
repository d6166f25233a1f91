import { studio } from '#renderer/api/studio.ts';
import { isDirty } from '#renderer/document/editing/open-flow.ts';
import { editorStore, showFlow } from '#renderer/document/flows/editor.ts';
import { noticeDone, noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import type { ImportReport } from '#shared/contract/flows.ts';
import { importConflictsStore } from './import-conflicts-store.ts';
import { importProblemsStore } from './import-problems-store.ts';
import { saveFlow } from './saving.ts';
import { texts } from './texts.ts';

/** Imports a PyFlow workflow, or an export of another tool, as a flow beside it, and shows the flow and what was left out. True when it was imported. */
export function importWorkflow(path: string): Promise<boolean> {
  return report(path, 'imported', () => studio.flows.importWorkflow({ path }));
}

/** Brings a flow up to date with the workflow that it was imported from. Its unsaved edits are saved first. True when it was updated. */
export async function updateImport(path: string, source: string): Promise<boolean> {
  const flow = editorStore.getState().flows[path];
  if (flow && isDirty(flow) && !(await saveFlow(path))) return false;
  return report(source, 'updated', () => studio.flows.updateImport({ path }));
}

async function report(path: string, done: 'imported' | 'updated', start: () => Promise<ImportReport>): Promise<boolean> {
  try {
    const { flow, problems, conflicts = [] } = await start();
    if (flow === null) {
      const errors = problems.filter(({ severity }) => severity === 'error');
      noticeProblem(texts.workflow.notImported(path), texts.workflow.errors(path, errors));
      importProblemsStore.setState({ shown: { source: path, flow, problems } });
      return false;
    }
    await showFlow(flow);
    const warnings = problems.filter(({ severity }) => severity === 'warning').length - conflicts.length;
    noticeDone(texts.workflow[done](flow, warnings));
    importConflictsStore.setState({ open: conflicts });
    // After an update, the nodes to choose from are the ones that matter.
    if (conflicts.length === 0 && warnings > 0) importProblemsStore.setState({ shown: { source: path, flow, problems } });
    return true;
  } catch (thrown) {
    noticeFailure(texts.workflow.notImported(path), thrown);
    return false;
  }
}
