/** The purpose of a model. */
export type ModelKind = 'chat' | 'image' | 'speech' | 'music' | 'rerank' | 'embedding';

/** A model that the emulator offers. */
export interface Model {
	/** Case-sensitive (section 2.1). */
	id: string;
	kind: ModelKind;
	ownedBy: string;
	/** Unix seconds. */
	created: number;
	/** True if a chat model reads image parts (section 2.2). */
	vision?: boolean;
	/** Length of an embedding model's vectors, and the maximum of `dimensions`. */
	dimensions?: number;
}

/** The models that `GET /v1/models` lists: invented chat families and the models that the interface names. */
export const models: readonly Model[] = [
	{ id: 'aurora-4', kind: 'chat', ownedBy: 'aurora', created: 1_735_689_600, vision: true },
	{ id: 'aurora-4-mini', kind: 'chat', ownedBy: 'aurora', created: 1_735_689_600, vision: true },
	{ id: 'aurora-4-codex', kind: 'chat', ownedBy: 'aurora', created: 1_743_465_600 },
	{ id: 'aurora-4-reasoning', kind: 'chat', ownedBy: 'aurora', created: 1_743_465_600 },
	{ id: 'sonata-3-large', kind: 'chat', ownedBy: 'sonata', created: 1_738_368_000, vision: true },
	{ id: 'sonata-3-small', kind: 'chat', ownedBy: 'sonata', created: 1_738_368_000 },
	{ id: 'prisma-2-pro', kind: 'chat', ownedBy: 'prisma', created: 1_740_787_200, vision: true },
	{ id: 'prisma-2-flash', kind: 'chat', ownedBy: 'prisma', created: 1_740_787_200, vision: true },
	{ id: 'deepwell-v3', kind: 'chat', ownedBy: 'deepwell', created: 1_736_899_200 },
	{ id: 'deepwell-r1', kind: 'chat', ownedBy: 'deepwell', created: 1_737_331_200 },
	{ id: 'bamboo-72b-instruct', kind: 'chat', ownedBy: 'bamboo', created: 1_727_740_800 },
	{ id: 'bamboo-vl-7b', kind: 'chat', ownedBy: 'bamboo', created: 1_727_740_800, vision: true },
	{ id: 'image-2', kind: 'image', ownedBy: 'gateway', created: 1_748_736_000 },
	{ id: 'image-pro', kind: 'image', ownedBy: 'gateway', created: 1_751_328_000 },
	{ id: 'svc-tts', kind: 'speech', ownedBy: 'gateway', created: 1_746_057_600 },
	{ id: 'music-v4.5-plus', kind: 'music', ownedBy: 'gateway', created: 1_746_057_600 },
	{ id: 'music-v5', kind: 'music', ownedBy: 'gateway', created: 1_754_006_400 },
	{ id: 'reranker-v2-m3', kind: 'rerank', ownedBy: 'gateway', created: 1_714_521_600 },
	{
		id: 'embedding-3-small',
		kind: 'embedding',
		ownedBy: 'gateway',
		created: 1_706_227_200,
		dimensions: 1_536,
	},
	{
		id: 'embedding-3-large',
		kind: 'embedding',
		ownedBy: 'gateway',
		created: 1_706_227_200,
		dimensions: 3_072,
	},
];
