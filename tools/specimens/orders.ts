/** The labels of the documented specimen VINs, as ordered from the drawings: each agrees with what its VIN decodes to. */
import type { Order } from './draw.ts';

export const orders: readonly Order[] = [
  { vin: '1FMUK8DH0TG000000', make: 'Ford', year: 2026, specimen: true },
  { vin: '1C4RJHBR7TC000000', make: 'Jeep', year: 2026, specimen: true },
  { vin: '1G1YB2D43S5000000', make: 'Chevrolet', year: 2025, specimen: true, hiddenPass: true },
  { vin: 'JTEVB5BR6S5000000', make: 'Toyota', year: 2025, specimen: true },
  { vin: 'KMTGC4SC5TU000000', make: 'Genesis', year: 2026, specimen: true },
  { vin: '5NMJECDE7TH000000', make: 'Hyundai', year: 2026, specimen: true },
  { vin: '3N8AP6DA9SL000000', make: 'Nissan', year: 2025, specimen: true },
];
