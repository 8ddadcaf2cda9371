/** The labels of the documented specimen VINs, as ordered from the drawings: each agrees with what its VIN decodes to. */
import type { Order } from './draw.ts';

export const orders: readonly Order[] = [
  { vin: '1FTEW2LP0TK000000', make: 'Ford', year: 2026, specimen: true },
  { vin: '1C6RJTDGXTL000000', make: 'Jeep', year: 2026, specimen: true },
  { vin: '1G1YB2D43S5000000', make: 'Chevrolet', year: 2025, specimen: true, hiddenPass: true },
];
