import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_EMBEDDING_BATCH_SIZE } from '../embedTexts';
import { batchSizeOption } from '../../shared/fields/options';
import { optionsField } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/gateway/endpoints';

/** Parameters of the Embeddings Model. */
export const embeddingsModelFields: INodeProperties[] = [
	modelField('', 'e.g. embedding-3-small'),
	optionsField({ timeoutSeconds: endpoints.embeddings.timeoutSeconds, body: true }, [
		batchSizeOption(DEFAULT_EMBEDDING_BATCH_SIZE, 'How many texts share a request'),
		{
			displayName: 'Dimensions',
			name: 'dimensions',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 256,
			description:
				'How many numbers a vector has, for models that can shorten it. Use the same number for storing and for searching.',
		},
		{
			displayName: 'Encoding Format',
			name: 'encodingFormat',
			type: 'options',
			options: [
				{ name: 'Base64', value: 'base64', description: 'A quarter of the size on the way; same numbers' },
				{ name: 'Float', value: 'float', description: 'Plain numbers, which every gateway can send' },
				{ name: 'Gateway Default', value: 'default', description: 'Let the gateway choose' },
			],
			default: 'default',
			description: 'How vectors travel; the vector store gets the same numbers',
		},
	]),
];
