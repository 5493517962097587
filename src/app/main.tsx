'fetched by every page';

import '../styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { listenForInstall } from '#features/install/install.ts';
import { rescuePage } from '#ui/rescue.ts';
import { App } from './App.tsx';
import { preloadPages } from './page-sets.ts';

// The browser sends its install event once, early, and never again if nobody listens.
listenForInstall();
// The bundler sends it for each import whose code could not be fetched.
addEventListener('vite:preloadError', rescuePage);
const mount = document.getElementById('app');
if (!mount) throw new Error('The page has no element with the id app');
void preloadPages().then(() =>
  createRoot(mount).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
