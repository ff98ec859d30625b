import { z } from 'zod';

/** Text that gateways also send as null or leave out. */
export const looseText = z
	.string()
	.nullish()
	.transform((value) => value ?? '');

/** A count of tokens; some gateways send null or leave it out. */
export const looseCount = z
	.number()
	.nullish()
	.transform((value) => value ?? undefined);
