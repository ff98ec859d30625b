import path from 'node:path';
import type { IBinaryData } from 'n8n-workflow';
import { Container, core } from './host';

/** Copies files from the disk into n8n's binary store. */
export async function storeFiles(files: Record<string, string>): Promise<Record<string, IBinaryData>> {
	const service = Container.get<InstanceType<typeof core.BinaryDataService>>(core.BinaryDataService);
	const stored: Record<string, IBinaryData> = {};
	for (const [field, file] of Object.entries(files)) {
		stored[field] = await service.copyBinaryFile(
			{ type: 'execution', workflowId: 'bench', executionId: 'bench' },
			{ data: '', fileName: path.basename(file), mimeType: 'audio/wav' },
			file,
		);
	}
	return stored;
}
