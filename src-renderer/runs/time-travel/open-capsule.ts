import { studio } from '#renderer/api/studio.ts';
import { showRunNow } from '#renderer/runs/model/open-run.ts';
import { noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import { capsuleLimit } from '#shared/contract/time-travel.ts';
import { texts } from './texts.ts';

/** Asks for a capsule's file and shows its run, without running anything. */
export function chooseAndOpenCapsule(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json,.capsule,.pravah-capsule,application/json';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) void openCapsule(file);
  });
  input.click();
}

/** Shows the run in a capsule. */
export async function openCapsule(file: File): Promise<void> {
  if (file.size > capsuleLimit) {
    noticeProblem(texts.capsule.tooLarge(file.name), texts.capsule.limit(capsuleLimit / 1024 / 1024));
    return;
  }
  try {
    const { run_id, contents } = await studio.runs.openCapsule({ content: await file.text() });
    await showRunNow({ run_id, flow_path: contents.flow_path });
  } catch (thrown) {
    noticeFailure(texts.capsule.notOpened(file.name), thrown);
  }
}
