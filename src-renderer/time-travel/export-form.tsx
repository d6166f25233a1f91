import { Button, Checkbox, Loader, TagsInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { FailureText } from '#renderer/debugger/failure-text.tsx';
import { noticeDone } from '#renderer/notices/notices.ts';
import type { CapsuleContents, Redaction } from '#shared/contract/time-travel.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import { CapsuleContentsList } from './capsule-contents.tsx';
import styles from './export-form.module.css';
import { saveAsFile } from './save-as-file.ts';
import { closeTimeTravelDialog, type TravelledRun } from './time-travel-dialogs.ts';

/** Writes a run into one file that can be given away: shows first what it would hold, and takes out what shall not leave. */
export function ExportForm({ run }: { run: TravelledRun }) {
  const { run_id } = run;
  const [contents, setContents] = useState<CapsuleContents | null>(null);
  const [failure, setFailure] = useState<TransferableError | null>(null);
  const [redact, setRedact] = useState<Redaction>({ places: [], texts: [] });
  const [current, setCurrent] = useState(false);
  const [writing, setWriting] = useState(false);

  useEffect(() => {
    let mine = true;
    setCurrent(false);
    studio.runs.capsulePreview({ run_id, redact }).then(
      (found) => {
        if (!mine) return;
        setContents(found);
        setFailure(null);
        setCurrent(true);
      },
      (thrown) => mine && setFailure(failureOf(thrown)),
    );
    return () => {
      mine = false;
    };
  }, [run_id, redact]);

  async function write() {
    setWriting(true);
    try {
      const { file_name, content } = await studio.runs.exportCapsule({ run_id, redact });
      saveAsFile(file_name, content);
      closeTimeTravelDialog();
      noticeDone(`${file_name} is written. It opens with “Open a capsule”, also on another machine.`);
    } catch (thrown) {
      setFailure(failureOf(thrown));
    } finally {
      setWriting(false);
    }
  }

  const masked = (name: string) => redact.places.includes(name);
  const mask = (name: string, on: boolean) =>
    setRedact((before) => ({ ...before, places: [...before.places.filter((place) => place !== name), ...(on ? [name] : [])] }));

  return (
    <div className={styles.body}>
      <p className={styles.about}>
        A capsule holds the flow, every step and what models and tools answered, in one file. It opens on any machine without running
        anything. Known secrets are masked; look through the rest before you give it away.
      </p>
      {!contents && !failure && <Loader size="sm" role="img" aria-label="Looking at what it would hold" />}
      {contents && (
        <>
          <CapsuleContentsList contents={contents} />
          <fieldset className={styles.redaction}>
            <legend className={styles.legend}>Mask whole states</legend>
            <div className={styles.states}>
              {contents.states.map(({ name }) => (
                <Checkbox
                  key={name}
                  size="xs"
                  label={<code>{name}</code>}
                  checked={masked(name)}
                  onChange={(event) => mask(name, event.currentTarget.checked)}
                />
              ))}
            </div>
          </fieldset>
          <TagsInput
            label="Mask places"
            description="A field of a state (Customer/email) or a place in the capsule (/steps/2/note). Enter adds one. What stands there is masked everywhere."
            value={redact.places.filter((place) => !contents.states.some(({ name }) => name === place))}
            onChange={(places) =>
              setRedact((before) => ({
                ...before,
                places: [...before.places.filter((place) => contents.states.some(({ name }) => name === place)), ...places],
              }))
            }
          />
          <TagsInput
            label="Mask texts"
            description="A name, a number, an address: masked wherever it stands."
            value={[...redact.texts]}
            onChange={(texts) => setRedact((before) => ({ ...before, texts }))}
          />
        </>
      )}
      {failure && <FailureText failure={failure} />}
      <div className={styles.buttons}>
        <Button variant="default" onClick={closeTimeTravelDialog}>
          Cancel
        </Button>
        <Button disabled={!contents || !current} loading={writing} onClick={() => void write()}>
          Write the capsule
        </Button>
      </div>
    </div>
  );
}
