import { useSheetParam } from '#ui/use-sheet-param.ts';
import { promptInstall, useInstallState } from './install.ts';

/** Returns the state and action of an 'Install App' button. `isOffered` is false in the installed app. */
export function useInstall(): { isOffered: boolean; install: () => void } {
  const state = useInstallState();
  const guide = useSheetParam('install');
  return {
    isOffered: state !== 'app',
    install: () => {
      void promptInstall().then((isShown) => {
        if (!isShown) guide.open();
      });
    },
  };
}
