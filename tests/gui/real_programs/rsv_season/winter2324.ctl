! RSV winter 2023/24, canton of Seelingen
$RUN
first week         = 2023-W41
weeks              = 26
$DISEASE
R0                 = 2.60        ! in a naive population
immune             = 25    %     ! on the first Monday, all classes alike
latent period      = 4.0   d
infectious period  = 7.0   d
infected at start  = 120         ! on the first Monday
relative susceptibility = 0.60   ! of all above 4 years, by earlier infections
$CLASSES
! class   population   reported %
  0-4       41300        12.0
  5-17     107900         1.5
  18-64    508200         0.8
  65+      158600         2.5
$MIXING   ! contacts a day of one in the row with those of the column
  3.2  2.1  6.3  0.9
  0.8  9.1  5.6  0.6
  0.5  1.2  8.9  0.8
  0.2  0.5  2.7  2.1
