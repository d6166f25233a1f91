import '#renderer/app/without-eval.ts';
import '#renderer/ui/theme/styles.ts';
import '#renderer/app/paint-icons.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '#renderer/app/app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element #root.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
