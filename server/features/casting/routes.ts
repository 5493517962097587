import type { FastifyInstance } from 'fastify';
import { answerRoutes } from './answers.ts';
import { markRoutes } from './marks.ts';
import { projectRoutes } from './projects.ts';
import { requestRoutes } from './requests.ts';
import { roleRoutes } from './roles.ts';
import { viewingRoutes } from './viewing.ts';

/** The side that casts. */
export function castingRoutes(app: FastifyInstance): void {
  projectRoutes(app);
  roleRoutes(app);
  requestRoutes(app);
  answerRoutes(app);
  viewingRoutes(app);
  markRoutes(app);
}
