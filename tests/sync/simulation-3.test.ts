import { simulateQuarter } from './quarter.ts';

simulateQuarter(3);
