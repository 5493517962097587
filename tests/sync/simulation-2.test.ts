import { simulateQuarter } from './quarter.ts';

simulateQuarter(2);
