; Inno Setup 6: the installer for Windows. Compiled and run under Wine (try_in_wine.sh: for all users, updated, removed); UNTESTED on Windows.
; build.py calls: ISCC /DVersion=0.1.0 /DFolder=build\bundle\dist\bayescope /DIcons=build\bundle\icons /Obuild\bundle bayescope.iss
; Silent: bayescope-0.1.0-setup.exe /VERYSILENT /SUPPRESSMSGBOXES /ALLUSERS (or /CURRENTUSER) /DIR="..." /LOG="..."

#ifndef Version
  #error "Call this by python packaging/dev.py bundle, which says version and folder."
#endif

[Setup]
; never change AppId: by it a new version finds the old one
AppId={{5B0C1B1E-6E0B-4C43-9B0E-7D4C2B5B7A51}
AppName=Bayescope
AppVersion={#Version}
AppPublisher=The Bayescope developers
DefaultDirName={autopf}\Bayescope
DefaultGroupName=Bayescope
DisableProgramGroupPage=yes
LicenseFile={#SourcePath}\..\..\..\LICENSE
OutputBaseFilename=bayescope-{#Version}-setup
SetupIconFile={#Icons}\bayescope.ico
UninstallDisplayIcon={app}\bayescope.exe
; for this user without an administrator, or for all; the command line may choose
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog commandline
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
ChangesAssociations=yes
ChangesEnvironment=yes
CloseApplications=yes
Compression=lzma2/normal
LZMANumBlockThreads=4
SolidCompression=yes
WizardStyle=modern

[Tasks]
Name: "path"; Description: "Make the command ""bayescope"" known in terminals"; Flags: unchecked
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; files of the version before that this one does not have would be found by it
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Folder}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs
Source: "{#SourcePath}\bayescope.cmd"; DestDir: "{app}\bin"; Flags: ignoreversion

[Icons]
Name: "{group}\Bayescope"; Filename: "{app}\bayescope.exe"
Name: "{group}\Check this installation"; Filename: "{app}\bayescope.exe"; Parameters: "--check-installation"
Name: "{autodesktop}\Bayescope"; Filename: "{app}\bayescope.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\.bayescope"; ValueType: string; ValueData: "Bayescope.Analysis"; Flags: uninsdeletevalue uninsdeletekeyifempty
Root: HKA; Subkey: "Software\Classes\Bayescope.Analysis"; ValueType: string; ValueData: "Bayescope analysis"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Bayescope.Analysis\DefaultIcon"; ValueType: string; ValueData: "{app}\bayescope.exe,0"
Root: HKA; Subkey: "Software\Classes\Bayescope.Analysis\shell\open\command"; ValueType: string; ValueData: """{app}\bayescope.exe"" ""%1"""
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}\bin"; Tasks: path; Check: NeedsPath

[Run]
Filename: "{app}\bayescope.exe"; Description: "{cm:LaunchProgram,Bayescope}"; Flags: nowait postinstall skipifsilent

[Code]
function NeedsPath(): Boolean;
var Before: String;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Before) then Before := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}\bin')) + ';', ';' + Uppercase(Before) + ';') = 0;
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var Before, Ours: String; Place: Integer;
begin
  if (Step <> usPostUninstall) or not RegQueryStringValue(HKCU, 'Environment', 'Path', Before) then Exit;
  Ours := ';' + ExpandConstant('{app}\bin');
  Place := Pos(Uppercase(Ours), Uppercase(Before));
  if Place > 0 then begin
    Delete(Before, Place, Length(Ours));
    RegWriteExpandStringValue(HKCU, 'Environment', 'Path', Before);
  end;
end;
