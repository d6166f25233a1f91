import { Button, Checkbox, Loader, TagsInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { noticeDone } from '#renderer/shell/notices.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { CapsuleContents, Redaction } from '#shared/contract/time-travel.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { CapsuleContentsList } from './capsule-contents.tsx';
import styles from './export-form.module.css';
import { saveAsFile } from './save-as-file.ts';
import { texts } from './texts.ts';
import { closeTimeTravelDialog, type TravelledRun } from './time-travel-dialogs.ts';

/** Exports a run as one file to share: shows its contents first, and masks what must not leave. */
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
      noticeDone(texts.capsule.written(file_name));
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
      <p className={styles.about}>{texts.capsule.about}</p>
      {!contents && !failure && <Loader size="sm" role="img" aria-label={texts.capsule.loading} />}
      {contents && (
        <>
          <CapsuleContentsList contents={contents} />
          <fieldset className={styles.redaction}>
            <legend className={styles.legend}>{texts.capsule.maskStates}</legend>
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
            label={texts.capsule.maskPaths}
            description={texts.capsule.maskPathsHint}
            value={redact.places.filter((place) => !contents.states.some(({ name }) => name === place))}
            onChange={(places) =>
              setRedact((before) => ({
                ...before,
                places: [...before.places.filter((place) => contents.states.some(({ name }) => name === place)), ...places],
              }))
            }
          />
          <TagsInput
            label={texts.capsule.maskTexts}
            description={texts.capsule.maskTextsHint}
            value={[...redact.texts]}
            onChange={(texts) => setRedact((before) => ({ ...before, texts }))}
          />
        </>
      )}
      {failure && <FailureText failure={failure} />}
      <div className={styles.buttons}>
        <Button variant="default" onClick={closeTimeTravelDialog}>
          {texts.cancel}
        </Button>
        <Button disabled={!contents || !current} loading={writing} onClick={() => void write()}>
          {texts.capsule.write}
        </Button>
      </div>
    </div>
  );
}
