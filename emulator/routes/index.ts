import type { FastifyPluginAsync } from 'fastify';
import { VoiceList } from '../catalogue/voices';
import type { MusicTasks } from '../music/tasks';
import type { Journal } from '../journal';
import { utilitiesRoutes } from '../utilities';
import { billingRoutes } from './billing';
import { chatCompletionRoutes } from './chatCompletions';
import { embeddingRoutes } from './embeddings';
import { generateContentRoutes } from './generateContent';
import { imageRoutes } from './images';
import { messagesRoutes } from './messages';
import { modelRoutes } from './models';
import { rerankRoutes } from './rerank';
import { musicRoutes } from './music';
import { speechRoutes } from './speech';
import { voiceModelRoutes } from './voiceModels';
import { voiceRoutes } from './voices';

/** What routes may depend on besides their request. */
export interface RouteOptions {
	/** The emulator's clock, in ms. */
	now: () => number;
	/** What arrived so far. */
	journal: Journal;
	/** The voices of this emulator. */
	voices: VoiceList;
	tasks: MusicTasks;
}

/** Every route of the interface; each file here is one section of it. */
export const apiRoutes: FastifyPluginAsync<Omit<RouteOptions, 'voices'>> = async (app, shared) => {
	const options = { ...shared, voices: new VoiceList() };
	await app.register(modelRoutes);
	await app.register(chatCompletionRoutes, options);
	await app.register(messagesRoutes);
	await app.register(generateContentRoutes);
	await app.register(imageRoutes, options);
	await app.register(rerankRoutes);
	await app.register(embeddingRoutes);
	await app.register(billingRoutes, options);
	await app.register(speechRoutes, options);
	await app.register(voiceRoutes, options);
	await app.register(voiceModelRoutes, options);
	await app.register(musicRoutes, options);
	await app.register(utilitiesRoutes, options);
};
