import type { FastifyInstance } from 'fastify';
import type { Uploads } from '../uploads/open.ts';
import { answerRoutes } from './answers.ts';
import { candidateRoutes } from './candidates.ts';
import { linkRoutes } from './links.ts';
import { markRoutes } from './marks.ts';
import { memberRoutes } from './members.ts';
import { projectRoutes } from './projects.ts';
import { requestRoutes } from './requests.ts';
import { roleRoutes } from './roles.ts';
import { viewingRoutes } from './viewing.ts';

/** The side that casts. */
export function castingRoutes(app: FastifyInstance, uploads: Uploads): void {
  projectRoutes(app);
  roleRoutes(app);
  candidateRoutes(app);
  requestRoutes(app, uploads);
  answerRoutes(app);
  viewingRoutes(app);
  markRoutes(app);
  memberRoutes(app);
  linkRoutes(app);
}
