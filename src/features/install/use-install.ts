import { useSheetParam } from '#ui/use-sheet-param.ts';
import { promptInstall, useInstallState } from './install.ts';

/** What an 'Install App' button needs; `isOffered` is false within the installed app itself. */
export function useInstall(): { isOffered: boolean; install: () => void } {
  const state = useInstallState();
  const guide = useSheetParam('install');
  return {
    isOffered: state !== 'app',
    install: () => {
      void promptInstall().then((shown) => {
        if (!shown) guide.open();
      });
    },
  };
}
