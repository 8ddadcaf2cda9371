/** Colors as pdf.js converts them: with its own approximation for CMYK (`DeviceCmykCS`). */

const channels = new Uint8ClampedArray(3);

function hexOf(red: number, green: number, blue: number): string {
  // Rounds them and limits them to 0 … 255.
  channels[0] = red;
  channels[1] = green;
  channels[2] = blue;
  const [r, g, b] = channels as unknown as [number, number, number];
  return `#${(0x1000000 + r * 0x10000 + g * 0x100 + b).toString(16).slice(1)}`;
}

export function hexOfGray(operands: Float64Array): string {
  const gray = operands[0]! * 255;
  return hexOf(gray, gray, gray);
}

export function hexOfRgb(operands: Float64Array): string {
  return hexOf(operands[0]! * 255, operands[1]! * 255, operands[2]! * 255);
}

export function hexOfCmyk(operands: Float64Array): string {
  const [c, m, y, k] = operands as unknown as [number, number, number, number];
  return hexOf(
    255 +
      c *
        (-4.387332384609988 * c +
          54.48615194189176 * m +
          18.82290502165302 * y +
          212.25662451639585 * k -
          285.2331026137004) +
      m * (1.7149763477362134 * m - 5.6096736904047315 * y - 17.873870861415444 * k - 5.497006427196366) +
      y * (-2.5217340131683033 * y - 21.248923337353073 * k + 17.5119270841813) +
      k * (-21.86122147463605 * k - 189.48180835922747),
    255 +
      c *
        (8.841041422036149 * c +
          60.118027045597366 * m +
          6.871425592049007 * y +
          31.159100130055922 * k -
          79.2970844816548) +
      m * (-15.310361306967817 * m + 17.575251261109482 * y + 131.35250912493976 * k - 190.9453302588951) +
      y * (4.444339102852739 * y + 9.8632861493405 * k - 24.86741582555878) +
      k * (-20.737325471181034 * k - 187.80453709719578),
    255 +
      c *
        (0.8842522430003296 * c +
          8.078677503112928 * m +
          30.89978309703729 * y -
          0.23883238689178934 * k -
          14.183576799673286) +
      m * (10.49593273432072 * m + 63.02378494754052 * y + 50.606957656360734 * k - 112.23884253719248) +
      y * (0.03296041114873217 * y + 115.60384449646641 * k - 193.58209356861505) +
      k * (-22.33816807309886 * k - 180.12613974708367),
  );
}
