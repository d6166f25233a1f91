import type { ReactNode } from 'react';
import { BrandMark } from '#renderer/ui/controls/brand-mark.tsx';
import { texts } from './texts.ts';
import styles from './top-bar.module.css';

interface TopBarProps {
  readonly folder: string | null;
  readonly file: string | null;
  readonly unsaved: boolean;
  onOpenFolder(): void;
  readonly runBar?: ReactNode;
  /** Buttons at the right end: search, inbox, settings. */
  readonly actions?: ReactNode;
}

/** The bar at the top: folder and file, run controls, actions. */
export function TopBar({ folder, file, unsaved, onOpenFolder, runBar, actions }: TopBarProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.place}>
        <BrandMark />
        <h1 className={styles.product} style={{ fontSize: 'inherit', margin: 0 }}>
          {texts.product}
        </h1>
        <div className={styles.path}>
          {folder !== null && (
            <button type="button" className={styles.folder} onClick={onOpenFolder} title={texts.openOtherFolder(folder)}>
              {folder}
            </button>
          )}
          {file !== null && (
            <>
              <span aria-hidden="true">/</span>
              <span className={styles.file} title={file}>
                {file}
              </span>
              {unsaved && <span className={styles.unsaved} role="img" aria-label={texts.unsaved} title={texts.unsaved} />}
            </>
          )}
        </div>
      </div>
      <div>{runBar}</div>
      <div className={styles.actions}>{actions}</div>
    </div>
  );
}
