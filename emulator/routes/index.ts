import type { FastifyPluginAsync } from 'fastify';
import type { VoiceList } from '../catalogue/voices';
import type { Journal } from '../journal';
import { named } from '../http/named';
import type { MusicTasks } from '../music/tasks';
import { utilitiesRoutes } from '../utilities';
import { billingRoutes } from './billing';
import { chatCompletionRoutes } from './chatCompletions';
import { embeddingRoutes } from './embeddings';
import { feedRoutes } from './feed';
import { generateContentRoutes } from './generateContent';
import { groupChatRoutes } from './groupChats';
import { imageRoutes } from './images';
import { messagesRoutes } from './messages';
import { modelRoutes } from './models';
import { musicRoutes } from './music';
import { publishedRoutes } from './published';
import { rerankRoutes } from './rerank';
import { speechRoutes } from './speech';
import { voiceRoutes } from './voices';

/** State that the routes share. Each route plugin declares the part that it needs. */
export interface ApiOptions {
	/** The emulator's clock, in ms. */
	now: () => number;
	/** The hour in China at which the digests of a day are published. */
	newsHour: number;
	journal: Journal;
	tasks: MusicTasks;
	voices: VoiceList;
}

/** Every route of the interface document; each file in this folder covers one endpoint or one group of endpoints. */
export const apiRoutes: FastifyPluginAsync<ApiOptions> = async (app, options) => {
	await app.register(named(modelRoutes));
	await app.register(named(chatCompletionRoutes), options);
	await app.register(named(messagesRoutes));
	await app.register(named(generateContentRoutes));
	await app.register(named(imageRoutes), options);
	await app.register(named(rerankRoutes));
	await app.register(named(embeddingRoutes));
	await app.register(named(billingRoutes), options);
	await app.register(named(speechRoutes), options);
	await app.register(named(voiceRoutes), options);
	await app.register(named(musicRoutes), options);
	await app.register(named(utilitiesRoutes), options);
	await app.register(named(publishedRoutes));
	await app.register(named(feedRoutes));
	await app.register(named(groupChatRoutes));
};
