import type { FastifyPluginAsync } from 'fastify';
import type { MusicTasks } from '../music/tasks';
import { utilitiesRoutes } from '../utilities';
import type { Journal } from '../journal';
import { billingRoutes } from './billing';
import { chatCompletionRoutes } from './chatCompletions';
import { embeddingRoutes } from './embeddings';
import { generateContentRoutes } from './generateContent';
import { messagesRoutes } from './messages';
import { modelRoutes } from './models';
import { rerankRoutes } from './rerank';
import { musicRoutes } from './music';
import { speechRoutes } from './speech';
import { voiceRoutes } from './voices';

/** What routes may depend on besides their request. */
export interface RouteOptions {
	/** The emulator's clock, in ms. */
	now: () => number;
	/** What arrived so far. */
	journal: Journal;
	tasks: MusicTasks;
}

/** Every route of the interface; each file here is one section of it. */
export const apiRoutes: FastifyPluginAsync<RouteOptions> = async (app, options) => {
	await app.register(modelRoutes);
	await app.register(chatCompletionRoutes, options);
	await app.register(messagesRoutes);
	await app.register(generateContentRoutes);
	await app.register(speechRoutes);
	await app.register(voiceRoutes);
	await app.register(rerankRoutes);
	await app.register(embeddingRoutes);
	await app.register(billingRoutes, options);
	await app.register(musicRoutes, options);
	await app.register(utilitiesRoutes, options);
};
