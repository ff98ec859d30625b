import { NodeHelpers, type INodeParameters, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
// The imports name the extension, because "Account.node" alone would find the codex file beside it first.
import { Account } from '../../../nodes/Account/Account.node.ts';
import { Chat } from '../../../nodes/Chat/Chat.node.ts';
import { ChatModel } from '../../../nodes/Chat/ChatModel.node.ts';
import { Embed } from '../../../nodes/Embed/Embed.node.ts';
import { EmbeddingsModel } from '../../../nodes/Embed/EmbeddingsModel.node.ts';
import { Image } from '../../../nodes/Image/Image.node.ts';
import { Music } from '../../../nodes/Music/Music.node.ts';
import { Rerank } from '../../../nodes/Rerank/Rerank.node.ts';
import { RerankerModel } from '../../../nodes/Rerank/RerankerModel.node.ts';
import { Speech } from '../../../nodes/Speech/Speech.node.ts';
import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';
import { VoiceModel } from '../../../nodes/VoiceModel/VoiceModel.node.ts';

export const PACKAGE = 'n8n-nodes-unified-ai-gateway';
/** Every node of the package by its type. */
export const nodeTypes: Record<string, INodeType> = {
	[`${PACKAGE}.account`]: new Account(),
	[`${PACKAGE}.chat`]: new Chat(),
	[`${PACKAGE}.chatModel`]: new ChatModel(),
	[`${PACKAGE}.embed`]: new Embed(),
	[`${PACKAGE}.embeddingsModel`]: new EmbeddingsModel(),
	[`${PACKAGE}.image`]: new Image(),
	[`${PACKAGE}.music`]: new Music(),
	[`${PACKAGE}.rerank`]: new Rerank(),
	[`${PACKAGE}.rerankerModel`]: new RerankerModel(),
	[`${PACKAGE}.speech`]: new Speech(),
	[`${PACKAGE}.utilities`]: new Utilities(),
	[`${PACKAGE}.voiceModel`]: new VoiceModel(),
};

/** Returns parameters as n8n holds them in a workflow, with the defaults of those that are not set. */
export function withDefaults(
	description: INodeTypeDescription,
	parameters: INodeParameters,
): INodeParameters {
	const node = { typeVersion: 1 };
	const { properties } = description;
	return NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description)!;
}

/** Returns the operations that a node offers in the editor. */
export function operationsOf({ description: { properties } }: Pick<INodeType, 'description'>): string[] {
	const selector = properties.find(({ name }) => name === 'operation');
	return selector?.options?.map((option) => String((option as { value: unknown }).value)) ?? [];
}
